DROP INDEX "users_status_created_idx";--> statement-breakpoint
DROP INDEX "users_created_idx";--> statement-breakpoint
DROP INDEX "project_events_project_idx";--> statement-breakpoint
DROP INDEX "projects_created_idx";--> statement-breakpoint
CREATE INDEX "users_status_created_idx" ON "users" USING btree ("account_status","created_at","id");--> statement-breakpoint
CREATE INDEX "users_created_idx" ON "users" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "project_events_project_idx" ON "project_events" USING btree ("project_id","id");--> statement-breakpoint
CREATE INDEX "projects_created_idx" ON "projects" USING btree ("created_at","id");