-- macOS names files with accents apart from their letters: as keyboards write a name, it was not found.
UPDATE "files" SET "name" = normalize("name", NFC) WHERE "name" IS NOT NFC NORMALIZED AND char_length(normalize("name", NFC)) <= 255;
