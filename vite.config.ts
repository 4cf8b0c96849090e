import { createHash } from 'node:crypto'
import { readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { GROUPS } from './vite.chunks.ts'
import { FONTS } from './vite.fonts.ts'
import { ICONS } from './vite.icons.ts'
import { defineConfig, minifySync, type Plugin, type Rolldown } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'

/** The output folder; set when Vite has resolved its configuration. */
let out = ''

/** The integrity of a file, so that a captive portal's page is never cached as a chunk. */
const integrityOf = (file: string) =>
  `sha256-${createHash('sha256')
    .update(readFileSync(join(out, file)))
    .digest('base64')}`

/** The large files that lazy screens share, and styles, which a screen waits for. */
const PRELOADED =
  /\/(engine|list|shared|sign-in|table|table-parts)\.js$|\/reads-[\w-]{8}\.js$|\.css$/

/**
 * Chunks of packages, which import only one another: a hash in their names, as in those of styles and
 * fonts.
 */
const PACKAGES = ['react', 'router', 'reads', 'rolldown-runtime']
/**
 * The folder of all other chunks. Their names hold no hash, as it would stand in every chunk that imports
 * them, and a changed word would change them all. Once built, it gets the hash of all of them.
 */
const BUILD = 'assets/build'

/** Where a chunk is. */
function chunkFileNames({ name, moduleIds }: Rolldown.PreRenderedChunk) {
  if (PACKAGES.includes(name)) return 'assets/[name]-[hash].js'
  if (name === 'engine') return `${BUILD}/[name].js`
  const last = moduleIds.at(-1) ?? ''
  if (!last.includes('/src/app/telemetry/')) return `${BUILD}/[name].js`
  // Ad blockers know files by names such as `analytics.js`; the worker could not be installed.
  const folder = last.endsWith('-client.ts') ? `${BUILD}/telemetry` : BUILD
  return `${folder}/part-${createHash('sha256').update(name).digest('hex').slice(0, 6)}.js`
}

/** Gives the folder of chunks its final name, which only the page and Vite's manifest hold. */
function nameBuild(): void {
  const files = readdirSync(join(out, BUILD), { recursive: true, encoding: 'utf8' })
  const hash = createHash('sha256')
  for (const file of files.filter((one) => one.endsWith('.js')).toSorted()) {
    const code = readFileSync(join(out, BUILD, file))
    if (code.includes(`${BUILD}/`)) throw new Error(`${file} holds the name of its folder.`)
    hash.update(file).update('\0').update(code).update('\0')
  }
  const name = `${BUILD}-${hash.digest('hex').slice(0, 10)}`
  renameSync(join(out, BUILD), join(out, name))
  for (const file of ['index.html', '.vite/manifest.json']) {
    const text = readFileSync(join(out, file), 'utf8')
    writeFileSync(join(out, file), text.replaceAll(`${BUILD}/`, `${name}/`))
  }
}

/** The first entry of the changelog, which is for users: the prompt of an update shows it. */
const newestEntry = () => readFileSync('CHANGELOG.md', 'utf8').match(/^- (.+)$/m)?.[1] ?? ''

const WEB_MANIFEST = 'manifest.webmanifest'

/** Writes the script with the list of what the worker stores, and returns its place. */
function writeWorkerFiles(urls: readonly string[]) {
  const files = urls.map((url) => ({ url, integrity: integrityOf(url) }))
  const code = `self.shellFiles=${JSON.stringify(files)}`
  const hash = createHash('sha256').update(code).digest('hex').slice(0, 10)
  const url = `assets/worker-files-${hash}.js`
  writeFileSync(join(out, url), code)
  return { url, revision: null, size: code.length }
}

/** The part of the font that nearly all text is set in. */
const FONT = 'base-of-latin.woff2'
const BOOT_SCRIPT = 'src/app/boot/boot-script.js'

/** Modules of packages in whose place a build takes ours: what is imported, by whom, and ours. */
const REPLACED = [
  [/\/createLucideIcon\.mjs$/, /\/lucide-react\//, 'ui/icon.ts'],
  [
    /\/ssr\/components\.js$/,
    /\/react-router\/.*\/lib\/(components|dom\/lib)\.js$/,
    'app/navigation/router-framework.ts',
  ],
  [
    /\/(mutationCache|infiniteQueryBehavior)\.js$/,
    /\/query-core\/.*\/(query|queryClient)\.js$/,
    'sync/react/no-mutations.ts',
  ],
  [/^(destr|ufo)$/, /\/ofetch\//, 'sync/browser/no-fetch-options.ts'],
  [/^workbox-window$/, /\/src\//, '../node_modules/workbox-window/build/workbox-window.prod.mjs'],
] as const
/** The worker is one file; vite-plugin-pwa asks for that by an option that Rolldown calls deprecated. */
const inOneFile: Plugin = {
  name: 'in-one-file',
  config({ build }) {
    const output = build?.rollupOptions?.output
    if (!output || Array.isArray(output)) return
    delete output.inlineDynamicImports
    output.codeSplitting = false
  },
}

export default defineConfig({
  plugins: [
    {
      name: 'out-folder',
      configResolved: ({ root, build }) => {
        out ||= resolve(root, build.outDir)
      },
    },
    { name: 'name-build', apply: 'build', writeBundle: nameBuild },
    {
      name: 'whats-new',
      apply: 'build',
      buildStart() {
        this.emitFile({ type: 'asset', fileName: 'whats-new.txt', source: newestEntry() })
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
    {
      name: 'replaced-modules',
      apply: 'build',
      enforce: 'pre',
      resolveId: {
        filter: {
          id: /^(destr|ufo|workbox-window)$|\/(createLucideIcon|components|mutationCache|infiniteQueryBehavior)\.m?js$/,
        },
        handler(source, importer = '') {
          const ours = REPLACED.find(([file, by]) => file.test(source) && by.test(importer))?.[2]
          return ours && resolve('src', ours)
        },
      },
    },
    {
      // Names for developer tools, and calls that a bundler cannot know to be pure, keep parts that nothing uses.
      name: 'unused-parts-of-the-router',
      apply: 'build',
      enforce: 'pre',
      transform: {
        filter: { id: /\/react-router\/dist\/production\/lib\// },
        handler: (code) =>
          code
            .replace(/^\w+\.displayName = "[^"]*";$/gm, '')
            .replace(/= (?=React\$1\.(?:createContext|forwardRef|memo)\()/g, '= /* @__PURE__ */ '),
      },
    },
    FONTS,
    ...ICONS,
    react(),
    tailwindcss(),
    VitePWA({
      strategies: 'injectManifest',
      srcDir: 'sw',
      filename: 'sw.ts',
      registerType: 'prompt',
      injectRegister: false,
      // Read here, because Vite would hash its URL if index.html linked to it.
      manifest: JSON.parse(readFileSync(WEB_MANIFEST, 'utf8')),
      includeManifestIcons: false,
      injectManifest: {
        buildPlugins: { vite: [inOneFile] },
        globPatterns: ['**/*.{html,js,css,svg,png,woff2}'],
        // The worker's second file is cached by the worker itself; files that most users never load are
        // not cached.
        globIgnores: [
          'assets/background-replay-*',
          'assets/build-*/telemetry/*',
          // Requested by app stores and operating systems during installation only.
          'screenshots/*',
          'icons/{maskable,shortcut,apple}*',
          // Of notifications, which arrive with a network.
          'icons/monochrome-96.png',
          'icons/*-512.png',
        ],
        manifestTransforms: [
          (manifest) => ({
            manifest: [writeWorkerFiles([...manifest.map(({ url }) => url), WEB_MANIFEST])],
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
        entryFileNames: `${BUILD}/[name].js`,
        chunkFileNames,
        codeSplitting: {
          groups: GROUPS,
        },
      },
    },
  },
  experimental: {
    // Within chunks, files are named from where the chunk is.
    renderBuiltUrl: (_file, { hostType }) => (hostType === 'js' ? { relative: true } : undefined),
  },
  server: { port: 5173 },
})
