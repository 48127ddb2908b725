// The message of a BMC step if the BMC is locked down and Reclaim may not unlock it. The table of causes matches this text to say what to check next.

export const lockedDown =
  "the BMC is locked down, but the SKU's baseline does not ask for lockdown: nothing would lock it again";
