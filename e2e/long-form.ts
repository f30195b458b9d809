/** Of `npm run test:long`, which has the time for what `npm test` leaves out or repeats less often. */
export const IS_LONG_FORM = process.env.LONG_FORM === "1";

/** The tag of a test that only the long form runs. */
export const LONG_ONLY = "@long";
