// How long a proof counts while a host waits in Ready (docs/adr/0121-ready-lasts.md).

/** For a site whose policy says nothing else, in days. */
export const defaultMaxAgeDays = 90;
/** The longest that a policy may allow. */
export const longestMaxAgeDays = 3_650;
/** From this share of the age on, hosts are rechecked a few at a time, so that a fleet that was cleaned in one night is not rechecked in one. */
export const agedShare = 0.9;
/** The most allocatable hosts of one SKU and site that are taken for that at once. */
export const maxTakenShare = 0.1;

const dayMs = 86_400_000;

/** Whether a proof has reached its full age; 0 days: it never does. Pure. */
export const isAged = (provenMs: number, nowMs: number, maxAgeDays: number): boolean =>
  maxAgeDays > 0 && nowMs - provenMs >= maxAgeDays * dayMs;
