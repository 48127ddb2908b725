-- The palette finds a host by the serial number of a drive (server/usecases/search/search-all.ts): by this index, not by reading every inventory.

-- CreateIndex
CREATE INDEX "host_inventory_storage" ON "host_inventory" USING gin (("body" -> 'storage') jsonb_path_ops);
