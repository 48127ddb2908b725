-- A host that boots is looked up by one of its MACs.
-- CreateIndex
CREATE INDEX "host_macs_idx" ON "host" USING GIN ("macs");
