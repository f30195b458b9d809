CREATE TABLE "mail_days" (
	"day" date PRIMARY KEY NOT NULL,
	"sent" integer DEFAULT 0 NOT NULL,
	"given_up" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "unsubscribe_keys" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"key" uuid DEFAULT gen_random_uuid() NOT NULL,
	CONSTRAINT "unsubscribe_keys_key_unique" UNIQUE("key")
);
--> statement-breakpoint
ALTER TABLE "mail_jobs" ADD COLUMN "notification_ids" uuid[];--> statement-breakpoint
ALTER TABLE "unsubscribe_keys" ADD CONSTRAINT "unsubscribe_keys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;