import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, minifySync, type Rolldown } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'

/** The output folder; set when Vite has resolved its configuration. */
let out = ''

/** The integrity of a file, so that a captive portal's page is never cached as a chunk. */
const integrityOf = (file: string) =>
  `sha384-${createHash('sha384')
    .update(readFileSync(join(out, file)))
    .digest('base64')}`

/** Modules used by at least this many of the entry and the lazy screens. */
const SHARED = { minShareCount: 4, includeDependenciesRecursively: false }

/** The large files that lazy screens share, and styles, which a screen waits for. */
const PRELOADED = /\/(list|reads|shared|sign-in|table)-[\w-]{8}\.js$|\.css$/

/** The font of nearly all text. */
const FONT = 'figtree-latin-wght-normal.woff2'
const BOOT_SCRIPT = 'src/app/boot/boot-script.js'
const from = (...files: string[]) => files.map((file) => resolve('src', file))
const MAIN = from('main.tsx')
const SIGN_IN = from('app/shell/layout-empty.tsx', 'features/session/sign-in-screen.tsx')
const LIST = from(
  'app/shell/layout-default.tsx',
  'features/success-plans/list/list-screen.tsx',
  'features/success-plans/list/list-results.tsx',
)
/** What a window with room for a table loads in place of the list. */
const TABLE = from('features/success-plans/list/table/table-results.tsx')

/**
 * The first-paint chunk of a module: `start` for every start, or that of signed-in or of signed-out
 * users. Null for modules that the first paint does not need.
 */
function firstPaint(id: string, build: Rolldown.ChunkingContext): string | null {
  const isNeededBy = (roots: readonly string[]) => {
    const needed = new Set<string>()
    const add = (one: string) => {
      if (needed.has(one)) return
      needed.add(one)
      // Icons of the barrel are tree-shaken, so its imports do not count.
      if (!one.includes('/lucide-react/')) build.getModuleInfo(one)?.importedIds.forEach(add)
    }
    roots.forEach(add)
    return needed.has(id)
  }
  const [list, signIn] = [isNeededBy(LIST), isNeededBy(SIGN_IN)]
  if (isNeededBy(MAIN) || (list && signIn)) return 'start'
  return list ? 'list' : signIn ? 'sign-in' : isNeededBy(TABLE) ? 'table' : null
}

export default defineConfig({
  plugins: [
    {
      name: 'out-folder',
      configResolved: ({ root, build }) => {
        out ||= resolve(root, build.outDir)
      },
    },
    {
      // A plain script, which Vite does not process. Under `assets`, so that the HTTP cache serves it
      // without the worker.
      name: 'boot-script',
      apply: 'build',
      buildStart() {
        const { code } = minifySync(BOOT_SCRIPT, readFileSync(BOOT_SCRIPT, 'utf8'))
        this.emitFile({ type: 'asset', name: 'boot-script.js', source: code })
      },
      transformIndexHtml: {
        order: 'post',
        handler(html, { bundle = {} }) {
          const built = (name: string) => {
            const is = (file: Rolldown.OutputAsset) => file.names.includes(name)
            const found = Object.values(bundle).find((file) => file.type === 'asset' && is(file))
            if (!found) throw new Error(`The build has no ${name}.`)
            return `/${found.fileName}`
          }
          const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true }
          return {
            html: html.replace(`/${BOOT_SCRIPT}`, built('boot-script.js')),
            // Without the preload the first screen is laid out twice, once with the fallback font.
            tags: [
              { tag: 'link', attrs: { ...attrs, href: built(FONT) }, injectTo: 'head-prepend' },
            ],
          }
        },
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
      // Read here, because Vite would hash its URL if index.html linked to it.
      manifest: JSON.parse(readFileSync('manifest.webmanifest', 'utf8')),
      includeManifestIcons: false,
      injectManifest: {
        globPatterns: ['**/*.{html,js,css,svg,png,woff2}'],
        // The worker's second file is cached by the worker itself; files that most users never load are
        // not cached.
        globIgnores: [
          'assets/background-replay-*',
          'assets/telemetry/*',
          // Requested by app stores and operating systems during installation only.
          'screenshots/*',
          'icons/{maskable,shortcut,apple}*',
          'icons/*-512.png',
        ],
        manifestTransforms: [
          (manifest) => ({
            manifest: manifest.map((entry) => ({ ...entry, integrity: integrityOf(entry.url) })),
          }),
        ],
      },
    }),
  ],
  build: {
    // Inlined assets would need `data:` in the content security policy.
    assetsInlineLimit: 0,
    // Lists the files of each route, for the byte budget.
    manifest: true,
    modulePreload: {
      polyfill: false,
      // The list of what to preload is in the first script. Other files are small, and cached by the worker.
      resolveDependencies: (_file, dependencies) =>
        dependencies.filter((one) => PRELOADED.test(one)),
    },
    rolldownOptions: {
      // Reads the few icons that are used, and not all of them: 170 MB less at a build.
      experimental: { lazyBarrel: true },
      output: {
        chunkFileNames: ({ facadeModuleId }) =>
          facadeModuleId?.includes('/src/app/telemetry/') && facadeModuleId.endsWith('-client.ts')
            ? 'assets/telemetry/[name]-[hash].js'
            : 'assets/[name]-[hash].js',
        codeSplitting: {
          // Modules that rarely change have their own chunks, so that an update downloads little.
          groups: [
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\// },
            { name: 'router', test: /node_modules\/(react-router|cookie|set-cookie-parser)\// },
            { name: 'reads', test: /node_modules\/@tanstack\/(react-query|query-core)\// },
            // The modules of the first paint in three files instead of thirty, and nothing else.
            { name: firstPaint, minShareCount: 2, includeDependenciesRecursively: false },
            { name: 'icons', test: /\/lucide-react\//, ...SHARED },
            // Modules that several other screens use.
            { name: 'shared', test: /\/(src|contract|node_modules)\//, ...SHARED },
          ],
        },
      },
    },
  },
  server: { port: 5173 },
})
