"""The batch of motion files and saved scenes, without Maya; and manifests from folders."""
