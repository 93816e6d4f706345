/** Found by its shape, wherever it stands. */
export const shapedCanary = "sf_live_Qz7Xk2Vn9Lb4Tr6Wm1Pd8Hs3Jf5GyAcE";
/** Found by the name that it stands under, and from there on in the same call. */
export const namedCanary = "Vk3-quarrel-of-herons-0417";

export const canaries: readonly string[] = [shapedCanary, namedCanary];
