// For tests: states that no release has.
export const dreaming = "Assigned/Dreaming";
export const twice = "Ready/Twice";
export const deepCleanFailed = "Failed/DeepCleanFailed";
