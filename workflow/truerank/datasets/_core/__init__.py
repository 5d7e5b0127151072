"""What data sources share: archives and downloads, readers of files, cleaning, and the form that all end in."""
