// ATA status and error registers in words (ATA/ATAPI Command Set 4, section 6).

/** Bits of the error register, from the most to the least specific. ABRT is last because it is set along with the others. */
const errorBits: readonly (readonly [bit: number, words: string])[] = [
  [0x80, "the transfer was damaged between host and drive (ICRC)"],
  [0x40, "its medium could not be read (UNC)"],
  [0x10, "the address does not exist on the drive (IDNF)"],
  [0x02, "the drive reports the end of its medium (EOM)"],
  [0x01, "the command took too long, or its medium has an error (CCTO)"],
  [0x04, "it aborted the command: it does not support it in its current state (ABRT)"],
];

const statusBits: readonly (readonly [bit: number, words: string])[] = [
  [0x20, "the drive has a fault (DF)"],
  [0x80, "the drive is busy (BSY)"],
  [0x01, "the command failed, and the drive gives no reason (ERR)"],
];

/** What the registers mean; null: they report no error. */
export function ataMeaning(status: number, error: number): string | null {
  const of = (bits: typeof errorBits, register: number) => bits.find(([bit]) => (register & bit) !== 0)?.[1];
  const fault = (status & 0x20) === 0 ? undefined : of(statusBits, 0x20);
  return fault ?? of(errorBits, error) ?? of(statusBits, status) ?? null;
}
