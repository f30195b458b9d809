ALTER TABLE "api_keys" ADD COLUMN "made_in_browser" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "email_presumed" boolean DEFAULT false NOT NULL;--> statement-breakpoint
-- Who was let in before proof was asked for counts as confirmed, and so do the two of the demo who were not.
UPDATE "users" SET "email_presumed" = true WHERE "account_status" IN ('active', 'inactive') OR "email" IN ('nikhil@sangam.example', 'ravi@sangam.example');
