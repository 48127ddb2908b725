// What a step of the BMC says where the BMC is locked down and Reclaim may not unlock it; what to check next recognises it.

export const lockedDown =
  "the BMC is locked down, but the SKU's baseline does not ask for lockdown: nothing would lock it again";
