"""The catalogues of everything people read, one .po file per language; `make messages` keeps them up to date."""
