ALTER TABLE "users" ADD COLUMN "unread_mail" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "lower_mailed_seq" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "higher_mailed_seq" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "conversations_updated_idx" ON "conversations" USING btree ("updated_at");--> statement-breakpoint
-- What lay unread before this came is not mailed about.
UPDATE "conversations" SET "lower_mailed_seq" = "last_seq", "higher_mailed_seq" = "last_seq";
