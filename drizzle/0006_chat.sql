CREATE TABLE "conversations" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"lower_user_id" uuid NOT NULL,
	"higher_user_id" uuid NOT NULL,
	"last_seq" bigint DEFAULT 0 NOT NULL,
	"lower_read_seq" bigint DEFAULT 0 NOT NULL,
	"higher_read_seq" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "conversations_pair_unique" UNIQUE("lower_user_id","higher_user_id"),
	CONSTRAINT "conversations_pair_order" CHECK ("conversations"."lower_user_id" < "conversations"."higher_user_id"),
	CONSTRAINT "conversations_lower_read" CHECK ("conversations"."lower_read_seq" between 0 and "conversations"."last_seq"),
	CONSTRAINT "conversations_higher_read" CHECK ("conversations"."higher_read_seq" between 0 and "conversations"."last_seq")
);
--> statement-breakpoint
CREATE TABLE "messages" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"conversation_id" uuid NOT NULL,
	"seq" bigint NOT NULL,
	"sender_id" uuid NOT NULL,
	"client_message_id" uuid NOT NULL,
	"text" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "messages_seq_unique" UNIQUE("conversation_id","seq"),
	CONSTRAINT "messages_client_key_unique" UNIQUE("sender_id","client_message_id"),
	CONSTRAINT "messages_seq_positive" CHECK ("messages"."seq" > 0),
	CONSTRAINT "messages_text_length" CHECK (char_length("messages"."text") between 1 and 4000)
);
--> statement-breakpoint
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_lower_user_id_users_id_fk" FOREIGN KEY ("lower_user_id") REFERENCES "public"."users"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_higher_user_id_users_id_fk" FOREIGN KEY ("higher_user_id") REFERENCES "public"."users"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_sender_id_users_id_fk" FOREIGN KEY ("sender_id") REFERENCES "public"."users"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "conversations_higher_user_idx" ON "conversations" USING btree ("higher_user_id");