/** What start pages fetch once there is something to show in it: one file for all of it. */
export { ChangesLayer, SinceSentence } from "./since-sentence";
export { WaitingList } from "./waiting-list";
