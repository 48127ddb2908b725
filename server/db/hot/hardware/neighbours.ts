// Which other hosts are behind the same BMC as a host: conditions on `host o`, beside `host h` (docs/adr/0069-several-hosts-at-one-bmc.md).

/** `host o` is verified: its system was found and identified behind its BMC. */
export const isVerified =
  "(o.serial IS NOT NULL AND o.system_uuid IS NOT NULL AND coalesce(o.bmc_links ->> 'system', '') <> '')";
/** `host o` has the BMC address of `host h`. */
export const isAtItsAddress =
  "o.bmc_address IN (h.bmc_address, h.bmc_address || '/', rtrim(h.bmc_address, '/'))";
