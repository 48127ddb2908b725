-- Why an agent of a boot was not registered, for the page of a host that waits for one.
ALTER TABLE "boot_window" ADD COLUMN "refusal" TEXT;
