"""What recommenders share: their base, neighbourhoods, neural parts, calibration."""
