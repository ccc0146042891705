"""Commands & Colors Napoleonics: victory banners."""
