// Apart from db/enums.ts, which the pages before sign-in load: what a firm and its client agree on.

/** How urgent a request is for the client. */
export const REQUEST_URGENCIES = ["low", "normal", "high"] as const;

/** `new` and `asked` can be decided, once; the others are decisions. */
export const REQUEST_STATUSES = ["new", "asked", "accepted", "declined", "duplicate"] as const;
export type RequestStatus = (typeof REQUEST_STATUSES)[number];

export const SIGN_OFF_STATUSES = ["asked", "approved", "changes-requested", "withdrawn"] as const;
export type SignOffStatus = (typeof SIGN_OFF_STATUSES)[number];

/** Who owes the next move: the firm, the client, or nobody. */
export const TURN_SIDES = ["firm", "client", "nobody"] as const;

/** How a project stands, in a manager's judgement. */
export const PROJECT_HEALTHS = ["on-track", "at-risk", "off-track"] as const;

/** What a project's client sees of its commits: their titles, how many there were by day, or nothing. */
export const COMMIT_MODES = ["titles", "counts", "hidden"] as const;
export type CommitMode = (typeof COMMIT_MODES)[number];
