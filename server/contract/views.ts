/*
 * What leaves the server. Every view is JSON: instants are ISO-8601 UTC strings with milliseconds, calendar days are
 * `YYYY-MM-DD`, absent values are null. Views leave columns out instead of picking some: a new column is a decision here, a
 * renamed one breaks its last use.
 */

export type * from "./views/audit";
export type * from "./views/chat";
export type * from "./views/comments";
export type * from "./views/exported-requests";
export type * from "./views/files";
export type * from "./views/findings";
export type * from "./views/github";
export type * from "./views/inquiries";
export type * from "./views/labels";
export type * from "./views/live";
export type * from "./views/notifications";
export type * from "./views/overview";
export type * from "./views/people";
export type * from "./views/projects";
export type * from "./views/requests";
export type * from "./views/sign-offs";
export type * from "./views/status-updates";
export type * from "./views/templates";
export type * from "./views/turns";
export type * from "./views/webhooks";
