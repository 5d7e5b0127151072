"""What people have, as coded arrays: files, frames, dictionaries and matrices of lists, test rows and training rows."""
