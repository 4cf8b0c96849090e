// Missing in TypeScript's declarations of a worker: Background Sync (WICG draft), static routing
// (Service Workers, Nightly), and the functions of the second script.
interface SyncEvent extends ExtendableEvent {
  readonly tag: string
  readonly lastChance: boolean
}
interface ExtendableEvent {
  /** On `install` events, where supported. */
  addRoutes?(rule: {
    condition: { urlPattern: string } | { requestDestination: RequestDestination }
    source: 'cache' | 'network'
  }): Promise<void>
}
interface ServiceWorkerGlobalScopeEventMap {
  sync: SyncEvent
}
interface ServiceWorkerGlobalScope {
  /** Set by the build: the script with the list of its files, and what the PWA plugin adds. */
  readonly __WB_MANIFEST: [{ url: string }, ...unknown[]]
  /** Of that script. */
  readonly shellFiles: { url: string; integrity: string }[]
  /** Of the second script, once it is imported. */
  replay(last: boolean, signal: AbortSignal): Promise<void>
  showPushed(data: PushMessageData | null): Promise<void>
  openNotified(notification: Notification): Promise<void>
}
declare module '*?worker&url' {
  const url: string
  export default url
}
