import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join, matchesGlob, resolve } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import {
  build,
  defineConfig,
  minifySync,
  type Plugin,
  type ResolvedConfig,
  type Rolldown,
} from 'vite'

/**
 * Builds the service worker after the app, as `/sw.js`, with the files to precache in place of its
 * `self.__WB_MANIFEST`. The files that match `ignored`, globs, are not cached.
 */
export function serviceWorker(source: string, ignored: readonly string[] = []): Plugin {
  let config: ResolvedConfig
  return {
    name: 'service-worker',
    apply: 'build',
    configResolved(resolved) {
      config = resolved
    },
    writeBundle: {
      order: 'post',
      sequential: true,
      async handler({ dir = '' }, bundle) {
        const { root, publicDir, logLevel = 'info' } = config
        const files = [...Object.keys(bundle), ...globSync('**/*.*', { cwd: publicDir })]
        const cached = files.filter(
          (file) => PRECACHED.test(file) && !ignored.some((pattern) => matchesGlob(file, pattern)),
        )
        const entries = cached.toSorted().map((url) => {
          const hash = createHash('sha384')
            .update(readFileSync(join(dir, url)))
            .digest('base64')
          return {
            url,
            // The names of assets change with their content.
            revision: url.startsWith('assets/') ? null : hash.slice(0, 32),
            // So that a captive portal's page is never cached as a chunk.
            integrity: `sha384-${hash}`,
          }
        })
        await build({
          configFile: false,
          root,
          logLevel,
          publicDir: false,
          define: { 'self.__WB_MANIFEST': JSON.stringify(entries) },
          build: {
            outDir: dir,
            emptyOutDir: false,
            modulePreload: false,
            rolldownOptions: {
              input: resolve(root, source),
              output: { entryFileNames: 'sw.js', codeSplitting: false },
            },
          },
        })
      },
    },
  }
}
const PRECACHED = /\.(html|js|css|svg|png|woff2|webmanifest)$/

/** Modules used by at least this many of the entry and the lazy screens. */
const SHARED = { minShareCount: 4, includeDependenciesRecursively: false }

/** The font of nearly all text. */
const FONT = 'figtree-latin-wght-normal.woff2'
const MANIFEST = 'manifest.webmanifest'
const BOOT_SCRIPT = 'src/app/boot/boot-script.js'
const from = (...files: string[]) => files.map((file) => resolve('src', file))
const MAIN = from('main.tsx')
const SIGN_IN = from('app/shell/layout-empty.tsx', 'features/session/sign-in-screen.tsx')
const LIST = from('app/shell/layout-default.tsx', 'features/success-plans/list/list-screen.tsx')

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
  return list ? 'list' : signIn ? 'sign-in' : null
}

export default defineConfig({
  plugins: [
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
    {
      // Emitted here, because Vite would hash its URL if index.html linked to it.
      name: 'web-app-manifest',
      apply: 'build',
      buildStart() {
        const source = JSON.stringify(JSON.parse(readFileSync(MANIFEST, 'utf8')))
        this.emitFile({ type: 'asset', fileName: MANIFEST, source })
      },
      transformIndexHtml: () => [
        { tag: 'link', attrs: { rel: 'manifest', href: `/${MANIFEST}` }, injectTo: 'head' },
      ],
    },
    // Not cached: what most users never load, and what only app stores and operating systems request
    // during installation.
    serviceWorker('sw/sw.ts', [
      'assets/telemetry/*',
      'screenshots/*',
      'icons/{maskable,shortcut,apple}*',
      'icons/*-512.png',
    ]),
  ],
  build: {
    // Inlined assets would need `data:` in the content security policy.
    assetsInlineLimit: 0,
    // Lists the files of each route, for the byte budget.
    manifest: true,
    modulePreload: { polyfill: false },
    rolldownOptions: {
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
            {
              name: firstPaint,
              debugName: 'first paint',
              minShareCount: 2,
              includeDependenciesRecursively: false,
            },
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
