import { defineConfig } from "vite";

// Relative paths: the page works below any directory, and from `nacre serve`.
export default defineConfig({
  base: "./",
  build: { outDir: "../build/web", emptyOutDir: true, target: "es2022", modulePreload: false },
  worker: { format: "iife" },
});
