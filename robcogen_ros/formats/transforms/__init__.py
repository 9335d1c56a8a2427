"""The languages of motions, transforms and desired transforms, read and written."""
