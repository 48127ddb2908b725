-- What a tenant asked of its network, as it was given (docs/instances.md#network). Null: the tenant's default network.
ALTER TABLE "instance" ADD COLUMN "network" JSONB;
