export { ArticlesPage as default } from "@/features/articles/ArticlesPage";
