-- Every claim, permit and settlement changes the lease. With an index on it none of these updates could stay on its page (HOT), and each wrote a new
-- entry into all seven indexes of the table: 27,000 of 29,000 updates in a release of 300 hosts. The sweep every 30 s reads the table instead.
DROP INDEX "host_run_leased";
