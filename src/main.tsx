// Start-up, in order: session, first screen, first paint, then the engine chunk and the network.
import './ui/tokens.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { guard, visitorOf } from './app/navigation/guards.ts'
import { cachedConfig } from './features/session/cached-config.ts'
import { AppRoutes, preloadScreen } from './routes.tsx'
import { createSync } from './sync/client.ts'

const sync = createSync(async (page) => (await import('./app/boot/start-app.ts')).startApp(page))
// A stored session with an organisation renders at once. Without one, IndexedDB is read first:
// localStorage may have been lost, and the guards would send the user to the sign-in or organisations
// page. Of tokens without a user the server is asked first. Where the device may have to forget its user,
// the engine decides before anything is shown, however long storage takes.
if (sync.mayForgetUser) {
  const engine = await sync.ready().catch(() => undefined)
  await engine?.decided
} else if (sync.lacksUser) await sync.start().catch(() => undefined)
else if (!sync.session.current()?.active_organisation) await sync.restoreSession()

// Loads all chunks of the first screen before the first render, so that it appears in one step.
const startUrl = new URL(location.href)
const startRedirect = guard(
  startUrl,
  visitorOf(sync.session.current()),
  cachedConfig.get().redirects,
)
await preloadScreen(new URL(startRedirect?.to ?? startUrl, startUrl).pathname)

const root = document.getElementById('root')
if (!root) throw new Error('The page has no root.')
createRoot(root).render(
  <StrictMode>
    <AppRoutes />
  </StrictMode>,
)

// The screen behind a link is loaded when the pointer or the focus reaches the link.
for (const type of ['pointerover', 'focusin'])
  addEventListener(type, ({ target }) => {
    const link = target instanceof Element && target.closest<HTMLAnchorElement>('a[href]')
    if (link) void preloadScreen(link.pathname)
  })

void sync.start().catch(() => undefined)
void import('./app/boot/register-worker.ts').then(
  ({ registerWorker }) => registerWorker(),
  // Its code is not here: the next start registers the worker.
  () => undefined,
)
