-- Repair tenants (docs/adr/0093-repair.md).

-- The release of this instance ends a repair.
ALTER TABLE "instance" ADD COLUMN "repair_release" BOOLEAN NOT NULL DEFAULT false;
