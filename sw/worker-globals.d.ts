// What TypeScript's own declarations of a worker leave out: Background Sync (a draft of the WICG), static
// routing (Service Workers, Nightly), and our own second file.
interface SyncEvent extends ExtendableEvent {
  readonly tag: string
  readonly lastChance: boolean
}
interface ExtendableEvent {
  /** Of an `install` event, where the browser has it. */
  addRoutes?(rule: { condition: { urlPattern: string }; source: 'cache' }): Promise<void>
}
interface ServiceWorkerGlobalScopeEventMap {
  sync: SyncEvent
}
interface ServiceWorkerGlobalScope {
  /** Of the second file, once it was imported. */
  replay(last: boolean): Promise<void>
  showPushed(data: PushMessageData | null): Promise<void>
  openNotified(notification: Notification): Promise<void>
}
declare module '*?worker&url' {
  const url: string
  export default url
}
