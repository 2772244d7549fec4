import { defineConfig } from "vite";

const service = "http://127.0.0.1:8080"; // for `npm run dev`, beside `dragoman serve`

export default defineConfig({
  esbuild: { jsx: "automatic", jsxImportSource: "preact", legalComments: "none" },
  server: { proxy: { "/v1": service } },
  build: {
    outDir: "../src/dragoman/service/page",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0, // the policy of the service allows no data: addresses
    modulePreload: { polyfill: false },
    cssCodeSplit: false,
    reportCompressedSize: true,
  },
});
