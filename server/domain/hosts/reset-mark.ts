// Whether a host was reset since its BMC's mark was read: `LastResetTime` of ComputerSystem 1.12 and later (DMTF DSP0268).

/** Whether the mark moved on. One that is gone, or went back, proves nothing. */
export function resetMarkMoved(before: string, after: string | null): boolean {
  if (after === null || after === before) return false;
  const [from, to] = [Date.parse(before), Date.parse(after)];
  return Number.isNaN(from) || Number.isNaN(to) ? true : to > from;
}

/** Whether two readings differ in whatever way: the host was not left alone in between. */
export function resetMarkDiffers(before: string | null, after: string | null): boolean {
  if (before === null || after === null || before === after) return false;
  const [from, to] = [Date.parse(before), Date.parse(after)];
  return Number.isNaN(from) || Number.isNaN(to) || from !== to;
}
