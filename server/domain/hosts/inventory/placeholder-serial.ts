// Serial numbers that name no part: what firmware reports in place of one. Many parts have the same, so they identify none.

/**
 * A regular expression that JavaScript and PostgreSQL read alike, without regard to case. Only what is certainly no serial number: a name that is taken
 * for a placeholder would let a drive of another host pass.
 */
export const placeholderSerial = String.raw`^\s*([^a-z0-9]*|0+|1+|2+|3+|4+|5+|6+|7+|8+|9+|x+|f+|n/?a|none|null|nil|unknown|undefined|invalid|empty|tbd|oem|default( string)?|\$\(default_string\)|to be filled by o\.?e\.?m\.?|not? (specified|settable|available|applicable|present|provided|set)|no serial( number)?|enter serial( number)?|(type ?[0-9]+ - )?((system|chassis|base ?board|board|drive|device) )?serial( ?number)?|0?123456789(0|abcdef)?|bsn(1234567890)+1234567)\s*$`;

const pattern = new RegExp(placeholderSerial, "i");

/** Pure. */
export const isPlaceholderSerial = (serial: string): boolean => pattern.test(serial);

/** Why such a value cannot be given for a host. */
export const placeholderSerialText =
  "many boards have this in place of a serial number, so it names no machine: give the one that the machine's firmware reports, or none";
