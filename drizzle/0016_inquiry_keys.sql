ALTER TABLE "inquiries" ADD COLUMN "inquiry_key" uuid;--> statement-breakpoint
ALTER TABLE "inquiries" ADD CONSTRAINT "inquiries_key_unique" UNIQUE("inquiry_key");