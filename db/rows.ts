import type { auditEvents, inquiries, projects, tasks, users } from "./schema";

/*
 * What a row of each table holds, as types only: the browser may import them, and nothing of them is left in its bundle.
 * View types are made of these by leaving columns out, so that renaming a column breaks every use up to a React prop.
 */

export type UserColumns = typeof users.$inferSelect;
export type ProjectColumns = typeof projects.$inferSelect;
export type TaskColumns = typeof tasks.$inferSelect;
export type InquiryColumns = typeof inquiries.$inferSelect;
export type AuditColumns = typeof auditEvents.$inferSelect;
