ALTER TABLE "requests" ADD COLUMN "client_request_id" uuid;--> statement-breakpoint
ALTER TABLE "requests" ADD CONSTRAINT "requests_client_key_unique" UNIQUE("created_by","client_request_id");