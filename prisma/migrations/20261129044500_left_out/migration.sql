-- Every page of the console asks which hosts are not cleaned automatically.
CREATE INDEX "host_not_cleaned" ON "host" ("id") WHERE "automated_clean" = false;
