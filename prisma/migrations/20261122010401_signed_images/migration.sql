-- Images whose kernel and initrd have detached signatures that iPXE checks before it starts them (docs/adr/0027-agent-images-are-checked.md).
ALTER TABLE "agent_image" ADD COLUMN "signed" BOOLEAN NOT NULL DEFAULT false;
