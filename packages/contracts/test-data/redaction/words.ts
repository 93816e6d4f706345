/** Ordinary English words, as word lists for passphrases have them. */
export const words: readonly string[] = `
  abandon ability absorb abstract academy acoustic adapt adjust advance airport album alley amazing anchor
  ancient animal apple arctic arena armor artist aspect atlas autumn avocado bachelor balance bamboo banner
  barrel basket beach beauty bicycle biology blanket blossom bracket breeze bridge bronze bubble butter
  cabbage cactus camera canyon carbon carpet castle cattle century cereal chapter cherry chimney cinnamon
  circle clarify clever cluster coconut comfort copper coral cotton couple cradle cricket crystal cupboard
  current cushion damage dancer decade defense deliver desert diamond dolphin dragon dynamic eager earth
  echo eclipse elbow elegant element embark empower energy engine enrich episode eternal evidence exotic
  fabric falcon family fantasy feather festival fiction filter flavor forest fossil frozen galaxy garden
  garlic gather genius gentle giraffe glimpse gossip gravity guitar habit hammer harvest hazard helmet
  hidden hobby horizon humble hybrid iceberg inhale island jacket jaguar jelly journey jungle kangaroo
  ketchup kingdom kitchen ladder lantern lemon leopard liberty lizard lobster lunar magnet mango maple
  marble meadow melody miracle mosquito mountain museum mystery napkin nature nephew noodle novel oblige
  ocean olive onion orbit orchard organ oxygen palace panther parrot peanut pelican pepper picnic pigeon
  planet pottery pumpkin puzzle quantum rabbit raccoon radar raven rhythm ribbon ritual rocket saddle salmon
  satoshi scissors shadow silver simple sketch slender smooth socket spatial sphere spider squirrel stadium
  summer sunset symbol syrup tackle temple ticket tiger timber tomato tornado tunnel turtle umbrella unique
  uphold valley velvet vessel violin volcano voyage walnut whisper window winter wisdom wizard yellow zebra`
  .trim()
  .split(/\s+/);
