-- Debts are looked up with every claim and written once a release: a list of entries that wait to be sorted in would be read through each time.
ALTER INDEX "debt_standing_drives" SET (fastupdate = off);
