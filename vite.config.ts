import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'

/** Where the build goes; set when Vite knows. */
let out = ''

/** What a file must hash to, so that a captive portal's page is never kept as a chunk. */
const integrityOf = (file: string) =>
  `sha384-${createHash('sha384')
    .update(readFileSync(join(out, file)))
    .digest('base64')}`

/** Used by at least this many of the entry and the lazy screens. */
const SHARED = { minShareCount: 4, includeDependenciesRecursively: false }

export default defineConfig({
  plugins: [
    {
      name: 'out-folder',
      configResolved: ({ root, build }) => {
        out ||= resolve(root, build.outDir)
      },
    },
    react(),
    tailwindcss(),
    VitePWA({
      strategies: 'injectManifest',
      srcDir: 'sw',
      filename: 'sw.ts',
      registerType: 'prompt',
      injectRegister: false,
      // Read here and not linked from index.html, where its URL would be hashed.
      manifest: JSON.parse(readFileSync('manifest.webmanifest', 'utf8')),
      injectManifest: {
        globPatterns: ['**/*.{html,js,css,svg,png,woff2}'],
        manifestTransforms: [
          (manifest) => ({
            manifest: manifest.map((entry) => ({ ...entry, integrity: integrityOf(entry.url) })),
          }),
        ],
      },
    }),
  ],
  build: {
    // An inlined asset would need `data:` in the content security policy.
    assetsInlineLimit: 0,
    // Says which files a route needs, for the budget of bytes.
    manifest: true,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          // What changes rarely has chunks of its own, so that an update fetches little.
          groups: [
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\// },
            { name: 'router', test: /node_modules\/(react-router|cookie|set-cookie-parser)\// },
            { name: 'reads', test: /node_modules\/@tanstack\/(react-query|query-core)\// },
            // What nearly every screen uses, in two files instead of thirty. Without what those lean
            // on in turn: a dialog and its library stay where they are, out of the start.
            {
              name: 'parts',
              test: /node_modules\/(valibot|date-fns|ofetch|ufo|idb-keyval|uuid|lucide-react)\//,
              ...SHARED,
            },
            { name: 'shared', test: /\/(src|contract)\/(?!ui\/dialog)/, ...SHARED },
          ],
        },
      },
    },
  },
  server: { port: 5173 },
})
