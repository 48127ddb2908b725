// What a step of the BMC says where the BMC is locked down and Reclaim may not unlock it; what to check next recognises it.

export const lockedDown =
  "the BMC is locked down, and the SKU's baseline does not want it so: nothing would lock it again";
