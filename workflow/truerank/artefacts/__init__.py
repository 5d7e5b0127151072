"""What stages write and what they and reports read: tables, arrays and receipts, and the objects that they hold."""
