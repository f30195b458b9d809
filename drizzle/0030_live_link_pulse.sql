ALTER TABLE "live_links" ADD COLUMN "up_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "live_links" ADD COLUMN "failures" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "live_links" ADD COLUMN "is_refused" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "commits_repository_arrived_idx" ON "commits" USING btree ("repository_id","arrived_at");--> statement-breakpoint
CREATE INDEX "live_link_checks_at_idx" ON "live_link_checks" USING btree ("at");