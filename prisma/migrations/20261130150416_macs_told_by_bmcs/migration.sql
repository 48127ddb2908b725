-- Finds the other hosts whose BMC told a MAC address (docs/machine-names.md).
CREATE INDEX "host_name_mac_of_bmc" ON "host_name" ("value") WHERE "source" = 'bmc' AND "kind" = 'mac';
