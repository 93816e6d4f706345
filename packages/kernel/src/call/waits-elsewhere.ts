/** Why an effect was denied before it was executed, where its call goes on: the reason in its record. */
export const waitsElsewhere = "waits_elsewhere";
